// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Returns nothing where ERC-20 wants a bool, as the USDT of Ethereum does.
contract SilentToken {
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 value) public {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}
